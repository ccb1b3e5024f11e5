CREATE TABLE `inbox_counts` (
	`name` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `inbox_events` (
	`_id` text PRIMARY KEY NOT NULL,
	`recordId` text NOT NULL,
	`at` integer NOT NULL,
	`accountId` text NOT NULL,
	`before` text NOT NULL,
	`after` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inbox_events_record` ON `inbox_events` (`recordId`);--> statement-breakpoint
CREATE TABLE `messages` (
	`_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`number` text NOT NULL,
	`subject` text NOT NULL,
	`message` text NOT NULL,
	`messageStatus` text NOT NULL,
	`receivedAt` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `messages_status` ON `messages` (`messageStatus`,`_id`);--> statement-breakpoint
CREATE TABLE `subscribers` (
	`_id` text PRIMARY KEY NOT NULL,
	`subemail` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_email` ON `subscribers` (lower("subemail"));