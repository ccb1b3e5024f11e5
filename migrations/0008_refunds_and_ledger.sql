CREATE TABLE `ledger` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`at` integer NOT NULL,
	`orderId` text NOT NULL,
	`kind` text NOT NULL,
	`amountCents` integer NOT NULL,
	`stripeId` text NOT NULL,
	`balanceCents` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_key_unique` ON `ledger` (`key`);--> statement-breakpoint
CREATE INDEX `ledger_order` ON `ledger` (`orderId`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`_id` text PRIMARY KEY NOT NULL,
	`orderId` text NOT NULL,
	`paymentId` text NOT NULL,
	`refundId` text,
	`amountCents` integer NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`note` text DEFAULT '' NOT NULL,
	`failure` text DEFAULT '' NOT NULL,
	`accountId` text NOT NULL,
	`idempotencyKey` text,
	`at` integer NOT NULL,
	`changedAt` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`checkAt` integer,
	`seenBy` text,
	`seenAt` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_refundId_unique` ON `refunds` (`refundId`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_idempotency` ON `refunds` (`orderId`,`idempotencyKey`);--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`paymentId`);--> statement-breakpoint
CREATE INDEX `refunds_check` ON `refunds` (`checkAt`);--> statement-breakpoint
CREATE INDEX `refunds_unseen` ON `refunds` (`changedAt`) WHERE "refunds"."status" IN ('failed', 'canceled') AND "refunds"."seenAt" IS NULL;--> statement-breakpoint
ALTER TABLE `order_totals` ADD `refundedCents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `refundedCents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
INSERT INTO `refunds` (`_id`, `orderId`, `paymentId`, `refundId`, `amountCents`, `status`, `accountId`, `at`, `changedAt`, `checkAt`)
SELECT `_id`, `orderId`, `_id`, `refundId`, `amountCents`, CASE `outcome` WHEN 'refunded' THEN 'succeeded' ELSE 'pending' END, '', `at`, `at`,
	CASE `outcome` WHEN 'refunded' THEN NULL ELSE `at` END
FROM `payments` WHERE `outcome` IN ('refunded', 'refundDue');--> statement-breakpoint
INSERT INTO `ledger` (`sequence`, `key`, `at`, `orderId`, `kind`, `amountCents`, `stripeId`, `balanceCents`)
WITH `movements` AS (
	SELECT CASE `method` WHEN 'Card' THEN 'payment:' || `paymentIntentId` ELSE 'outsidePayment:' || `_id` END AS `key`, `at`, `orderId`,
		CASE `method` WHEN 'Card' THEN 'payment' ELSE 'outsidePayment' END AS `kind`,
		`amountCents`, coalesce(`paymentIntentId`, '') AS `stripeId`, `_id`, 0 AS `turn`
	FROM `payments`
	UNION ALL
	SELECT 'outsidePaymentWithdrawn:' || `_id`, `at`, `orderId`, 'outsidePaymentWithdrawn', -`amountCents`, '', `_id`, 1
	FROM `payments` WHERE `outcome` = 'withdrawn'
	UNION ALL
	SELECT 'refund:' || coalesce(`refundId`, `_id`), `at`, `orderId`, 'refund', -`amountCents`, coalesce(`refundId`, ''), `_id`, 1
	FROM `payments` WHERE `outcome` = 'refunded'
)
SELECT row_number() OVER `moved`, `key`, `at`, `orderId`, `kind`, `amountCents`, `stripeId`, sum(`amountCents`) OVER `moved`
FROM `movements` WINDOW `moved` AS (ORDER BY `at`, `_id`, `turn`);--> statement-breakpoint
CREATE TRIGGER `ledger_keeps_rows` BEFORE DELETE ON `ledger` BEGIN SELECT raise(ABORT, 'The ledger keeps its rows.'); END;--> statement-breakpoint
CREATE TRIGGER `ledger_keeps_values` BEFORE UPDATE ON `ledger` BEGIN SELECT raise(ABORT, 'The ledger keeps its rows.'); END;
