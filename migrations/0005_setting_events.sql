CREATE TABLE `setting_events` (
	`id` text PRIMARY KEY NOT NULL,
	`setting` text NOT NULL,
	`recordId` text NOT NULL,
	`version` integer NOT NULL,
	`action` text NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	`before` text,
	`after` text
);
--> statement-breakpoint
CREATE INDEX `setting_events_record` ON `setting_events` (`recordId`);--> statement-breakpoint
INSERT INTO `setting_events` (`id`, `setting`, `recordId`, `version`, `action`, `at`, `by`, `before`, `after`)
SELECT `id`, CASE `section` WHEN 'adminUser' THEN 'member' ELSE 'paymentKey' END, `recordId`, `version`, `action`, `at`,
	coalesce((SELECT `accounts`.`id` FROM `accounts` WHERE `accounts`.`email` = lower(`content_history`.`by`)), ''), `before`, `after`
FROM `content_history` WHERE `section` IN ('adminUser', 'paymentKey');--> statement-breakpoint
DELETE FROM `content_history` WHERE `section` IN ('adminUser', 'paymentKey');--> statement-breakpoint
UPDATE `publications` SET `by` = '' WHERE NOT EXISTS (SELECT 1 FROM `content_history` WHERE `content_history`.`revision` = `publications`.`revision`);
