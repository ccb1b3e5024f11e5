CREATE TABLE `conversation_messages` (
	`_id` text NOT NULL,
	`orderId` text NOT NULL,
	`sequence` integer NOT NULL,
	`side` text NOT NULL,
	`accountId` text NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`at` integer NOT NULL,
	`idempotencyKey` text,
	PRIMARY KEY(`orderId`, `sequence`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conversation_messages_id` ON `conversation_messages` (`_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `conversation_messages_idempotency` ON `conversation_messages` (`accountId`,`idempotencyKey`);--> statement-breakpoint
CREATE TABLE `conversations` (
	`orderId` text PRIMARY KEY NOT NULL,
	`fromCustomer` integer DEFAULT 0 NOT NULL,
	`fromStaff` integer DEFAULT 0 NOT NULL,
	`readByCustomer` integer DEFAULT 0 NOT NULL,
	`readByStaff` integer DEFAULT 0 NOT NULL,
	`lastAt` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `conversations_unread` ON `conversations` (`lastAt`) WHERE "conversations"."fromCustomer" > "conversations"."readByStaff";--> statement-breakpoint
CREATE TABLE `order_files` (
	`_id` text PRIMARY KEY NOT NULL,
	`orderId` text NOT NULL,
	`accountId` text NOT NULL,
	`messageId` text DEFAULT '' NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`at` integer NOT NULL,
	`idempotencyKey` text
);
--> statement-breakpoint
CREATE INDEX `order_files_order` ON `order_files` (`orderId`);--> statement-breakpoint
CREATE INDEX `order_files_unsent` ON `order_files` (`at`) WHERE "order_files"."messageId" = '';--> statement-breakpoint
CREATE UNIQUE INDEX `order_files_idempotency` ON `order_files` (`accountId`,`idempotencyKey`);--> statement-breakpoint
ALTER TABLE `mails` ADD `topic` text;--> statement-breakpoint
CREATE INDEX `mails_topic` ON `mails` (`topic`) WHERE "mails"."topic" IS NOT NULL;