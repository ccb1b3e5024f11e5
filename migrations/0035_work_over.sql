DROP INDEX `order_briefs_awaited`;--> statement-breakpoint
ALTER TABLE `order_briefs` ADD `isOver` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `order_briefs_awaited` ON `order_briefs` (`awaitedSince`) WHERE "order_briefs"."sentAt" IS NULL AND "order_briefs"."isOver" = 0;--> statement-breakpoint
DROP INDEX `order_steps_due`;--> statement-breakpoint
ALTER TABLE `order_steps` ADD `isOver` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `order_steps_due` ON `order_steps` (`dueDay`) WHERE "order_steps"."state" <> 'done' AND "order_steps"."isOver" = 0;--> statement-breakpoint
-- Work that is over already, and from now on with the change that ends it or takes it up again (docs/decisions/plans.md).
UPDATE `order_steps` SET `isOver` = 1 WHERE `orderId` IN (SELECT `_id` FROM `orders` WHERE `paymentStatus` <> 'Paid' OR `orderStatus` <> 'Pending');--> statement-breakpoint
UPDATE `order_briefs` SET `isOver` = 1 WHERE `orderId` IN (SELECT `_id` FROM `orders` WHERE `paymentStatus` <> 'Paid' OR `orderStatus` <> 'Pending');--> statement-breakpoint
CREATE TRIGGER `orders_end_work` AFTER UPDATE OF `paymentStatus`, `orderStatus` ON `orders`
BEGIN
	UPDATE `order_steps` SET `isOver` = (NEW.`paymentStatus` <> 'Paid' OR NEW.`orderStatus` <> 'Pending') WHERE `orderId` = NEW.`_id`;
	UPDATE `order_briefs` SET `isOver` = (NEW.`paymentStatus` <> 'Paid' OR NEW.`orderStatus` <> 'Pending') WHERE `orderId` = NEW.`_id`;
END;
