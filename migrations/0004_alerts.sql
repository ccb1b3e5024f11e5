CREATE TABLE `alerts` (
	`key` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
