ALTER TABLE `orders` ADD `wallet` text DEFAULT '' NOT NULL;
--> statement-breakpoint
UPDATE `orders` SET `wallet` = (
  SELECT CASE WHEN `paidWith` = 'Link' THEN 'Link' ELSE substr(`paidWith`, 1, instr(`paidWith`, ', ') - 1) END
  FROM `payments` WHERE `payments`.`orderId` = `orders`.`_id` AND `outcome` = 'settled'
) WHERE `_id` IN (
  SELECT `orderId` FROM `payments` WHERE `outcome` = 'settled' AND (`paidWith` = 'Link' OR instr(`paidWith`, ', ') > 0)
);
