CREATE TABLE `legal_pages` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`path` text DEFAULT '' NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `legal_pages_path_unique` ON `legal_pages` (lower("path"));--> statement-breakpoint
CREATE TABLE `redirects` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`from` text DEFAULT '' NOT NULL,
	`to` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `redirects_from_unique` ON `redirects` (lower("from"));--> statement-breakpoint
CREATE INDEX `content_history_removed` ON `content_history` (`at`) WHERE action = 'removed';