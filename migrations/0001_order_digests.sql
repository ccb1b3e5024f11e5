CREATE TABLE `order_digests` (
	`until` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
DROP INDEX `payment_intents_problem`;--> statement-breakpoint
ALTER TABLE `payment_intents` ADD `seenBy` text;--> statement-breakpoint
ALTER TABLE `payment_intents` ADD `seenAt` integer;--> statement-breakpoint
CREATE INDEX `payment_intents_unseen` ON `payment_intents` (`startedAt`) WHERE "payment_intents"."problem" IS NOT NULL AND "payment_intents"."seenAt" IS NULL;