-- Work that is taken up again waits for its brief from then on, not since its payment, and its customer is reminded anew;
-- not of a payment that was taken back and came again.
DROP TRIGGER `orders_end_work`;--> statement-breakpoint
CREATE TRIGGER `orders_end_work` AFTER UPDATE OF `paymentStatus`, `orderStatus` ON `orders`
BEGIN
	UPDATE `order_steps` SET `isOver` = (NEW.`paymentStatus` <> 'Paid' OR NEW.`orderStatus` <> 'Pending') WHERE `orderId` = NEW.`_id`;
	UPDATE `order_briefs` SET `isOver` = (NEW.`paymentStatus` <> 'Paid' OR NEW.`orderStatus` <> 'Pending') WHERE `orderId` = NEW.`_id`;
	UPDATE `order_briefs` SET `awaitedSince` = unixepoch() * 1000,
		`remindedAt` = CASE WHEN OLD.`orderStatus` <> 'Pending' OR OLD.`paymentStatus` = 'Refunded' THEN NULL ELSE `remindedAt` END
	WHERE `orderId` = NEW.`_id` AND `isOver` = 0 AND `sentAt` IS NULL AND `awaitedSince` IS NOT NULL
		AND (OLD.`paymentStatus` <> 'Paid' OR OLD.`orderStatus` <> 'Pending');
END;--> statement-breakpoint
-- Nobody can approve a step whose customer has deleted their account.
UPDATE `order_steps` SET `state` = 'done' WHERE `state` = 'waiting' AND `orderId` IN (SELECT `_id` FROM `orders` WHERE `customerEmail` = '');
