CREATE TABLE `brief_questions` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`question` text DEFAULT '' NOT NULL,
	`help` text DEFAULT '' NOT NULL,
	`kind` text DEFAULT '' NOT NULL,
	`choices` text DEFAULT '' NOT NULL,
	`required` text DEFAULT '' NOT NULL,
	`packages` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `order_briefs` (
	`orderId` text PRIMARY KEY NOT NULL,
	`accountId` text DEFAULT '' NOT NULL,
	`answers` text DEFAULT '{}' NOT NULL,
	`asked` text,
	`sentAt` integer,
	`awaitedSince` integer,
	`remindedAt` integer
);
--> statement-breakpoint
CREATE INDEX `order_briefs_account` ON `order_briefs` (`accountId`);--> statement-breakpoint
CREATE INDEX `order_briefs_awaited` ON `order_briefs` (`awaitedSince`) WHERE "order_briefs"."sentAt" IS NULL;