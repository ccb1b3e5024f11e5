CREATE TABLE `media` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`alt` text DEFAULT '' NOT NULL,
	`focus` text DEFAULT '' NOT NULL,
	`path` text DEFAULT '' NOT NULL,
	`type` text DEFAULT '' NOT NULL,
	`width` text DEFAULT '' NOT NULL,
	`height` text DEFAULT '' NOT NULL,
	`bytes` text DEFAULT '' NOT NULL
);
