CREATE TABLE `plan_steps` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`details` text DEFAULT '' NOT NULL,
	`dueDays` text DEFAULT '' NOT NULL,
	`approval` text DEFAULT '' NOT NULL,
	`packages` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `order_steps` (
	`_id` text PRIMARY KEY NOT NULL,
	`orderId` text NOT NULL,
	`position` integer NOT NULL,
	`title` text NOT NULL,
	`details` text NOT NULL,
	`dueDay` text NOT NULL,
	`wantsApproval` integer NOT NULL,
	`state` text NOT NULL,
	`note` text NOT NULL,
	`request` text NOT NULL,
	`doneAt` integer,
	`doneBy` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `order_steps_order` ON `order_steps` (`orderId`,`position`);--> statement-breakpoint
CREATE INDEX `order_steps_due` ON `order_steps` (`dueDay`) WHERE "order_steps"."state" <> 'done';