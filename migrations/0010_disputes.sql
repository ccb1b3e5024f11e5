CREATE TABLE `disputes` (
	`_id` text PRIMARY KEY NOT NULL,
	`disputeId` text NOT NULL,
	`orderId` text NOT NULL,
	`paymentIntentId` text NOT NULL,
	`amountCents` integer NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`evidenceDueAt` integer,
	`openedAt` integer NOT NULL,
	`closedAt` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `disputes_disputeId_unique` ON `disputes` (`disputeId`);--> statement-breakpoint
CREATE INDEX `disputes_open` ON `disputes` (`openedAt`) WHERE "disputes"."closedAt" IS NULL;