ALTER TABLE `orders` ADD `remindedAt` integer;--> statement-breakpoint
CREATE INDEX `orders_unclaimed` ON `orders` (`customerEmail`) WHERE "orders"."accountId" = '' AND "orders"."customerEmail" <> '';--> statement-breakpoint
CREATE INDEX `orders_to_remind` ON `orders` (`_id`) WHERE "orders"."paymentStatus" = 'UnPaid' AND "orders"."remindedAt" IS NULL;