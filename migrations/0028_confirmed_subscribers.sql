ALTER TABLE `subscribers` ADD `askedAt` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `confirmedAt` integer;--> statement-breakpoint
CREATE INDEX `subscribers_waiting` ON `subscribers` (`askedAt`) WHERE "subscribers"."confirmedAt" IS NULL;--> statement-breakpoint
-- Who was on the list before asked for it when there was nothing to confirm.
UPDATE `subscribers` SET `confirmedAt` = unixepoch() * 1000;
