ALTER TABLE `mails` ADD `number` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `number` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `orders` SET `number` = `numbered`.`number` FROM (
	SELECT `_id`, 1000 + row_number() OVER (ORDER BY `_id`) AS `number` FROM `orders`
) AS `numbered` WHERE `orders`.`_id` = `numbered`.`_id`;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`number`);--> statement-breakpoint
CREATE TRIGGER `orders_give_number` AFTER INSERT ON `orders` WHEN NEW.`number` = 0
BEGIN
	UPDATE `orders` SET `number` = max(1000, (SELECT max(`number`) FROM `orders`)) + 1 WHERE `_id` = NEW.`_id`;
END;
