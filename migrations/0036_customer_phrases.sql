-- Whole names, beside their words: what a search by first and last name finds a customer by (worker/orders/customers.ts).
INSERT OR IGNORE INTO `customer_words` (`word`, `accountId`)
SELECT ' ' || replace(lower(trim(`name`)), '  ', ' '), `accountId` FROM `customers` WHERE trim(`name`) LIKE '% %';
