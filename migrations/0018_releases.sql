CREATE TABLE `release_changes` (
	`_id` text PRIMARY KEY NOT NULL,
	`releaseId` text NOT NULL,
	`section` text NOT NULL,
	`recordId` text NOT NULL,
	`action` text NOT NULL,
	`value` text,
	`base` text,
	`version` integer NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `release_changes_record` ON `release_changes` (`releaseId`,`section`,`recordId`);--> statement-breakpoint
CREATE TABLE `releases` (
	`_id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`version` integer NOT NULL,
	`createdAt` integer NOT NULL,
	`createdBy` text NOT NULL,
	`publishAt` integer,
	`scheduledBy` text,
	`failure` text,
	`publishedAt` integer,
	`revision` integer,
	`publishedBy` text
);
--> statement-breakpoint
CREATE INDEX `releases_open` ON `releases` (`publishAt`) WHERE publishedAt is null;