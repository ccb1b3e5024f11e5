CREATE TABLE `source_totals` (
	`source` text PRIMARY KEY NOT NULL,
	`messages` integer NOT NULL,
	`orders` integer NOT NULL,
	`paidOrders` integer NOT NULL,
	`cents` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `messages` ADD `source` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `source` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `sourceName` text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
INSERT INTO `source_totals` (`source`, `messages`, `orders`, `paidOrders`, `cents`)
SELECT 'unknown', received, placed, paid, cents FROM (
  SELECT (SELECT count(*) FROM `messages`) AS received, coalesce(sum(`orders`), 0) AS placed,
    coalesce(sum(CASE WHEN `paymentStatus` = 'Paid' THEN `orders` END), 0) AS paid,
    coalesce(sum(CASE WHEN `paymentStatus` = 'Paid' THEN `cents` - `refundedCents` END), 0) AS cents
  FROM `order_totals` WHERE `scope` = 'all' AND `day` = ''
) WHERE received + placed > 0;
