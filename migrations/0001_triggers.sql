-- drizzle-kit does not see triggers: a later migration that recreates a table must create its triggers again.
-- Orders are numbered from 1001, without gaps (docs/decisions/assertions.md).
CREATE TRIGGER `orders_give_number` AFTER INSERT ON `orders` WHEN NEW.`number` = 0
BEGIN
	UPDATE `orders` SET `number` = max(1000, (SELECT max(`number`) FROM `orders`)) + 1 WHERE `_id` = NEW.`_id`;
END;
--> statement-breakpoint
-- Steps and briefs count as open work while their order is paid and not delivered. Work that resumes waits for its brief
-- from then on, and its customer is reminded again, unless a payment was only taken back and came again
-- (docs/decisions/fulfillment.md).
CREATE TRIGGER `orders_end_work` AFTER UPDATE OF `paymentStatus`, `orderStatus` ON `orders`
BEGIN
	UPDATE `order_steps` SET `isOver` = (NEW.`paymentStatus` <> 'Paid' OR NEW.`orderStatus` <> 'Pending') WHERE `orderId` = NEW.`_id`;
	UPDATE `order_briefs` SET `isOver` = (NEW.`paymentStatus` <> 'Paid' OR NEW.`orderStatus` <> 'Pending') WHERE `orderId` = NEW.`_id`;
	UPDATE `order_briefs` SET `awaitedSince` = unixepoch() * 1000,
		`remindedAt` = CASE WHEN OLD.`orderStatus` <> 'Pending' OR OLD.`paymentStatus` = 'Refunded' THEN NULL ELSE `remindedAt` END
	WHERE `orderId` = NEW.`_id` AND `isOver` = 0 AND `sentAt` IS NULL AND `awaitedSince` IS NOT NULL
		AND (OLD.`paymentStatus` <> 'Paid' OR OLD.`orderStatus` <> 'Pending');
END;
--> statement-breakpoint
-- Histories and the ledger are append-only. The few changes allowed are deleting personal data, recording how long a
-- publication took, and dropping audit entries older than a year (docs/decisions/personal-data.md).
CREATE TRIGGER `ledger_keeps_rows` BEFORE DELETE ON `ledger`
BEGIN SELECT raise(ABORT, 'The ledger keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_keeps_values` BEFORE UPDATE ON `ledger`
BEGIN SELECT raise(ABORT, 'The ledger keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_events_keeps_rows` BEFORE DELETE ON `audit_events` WHEN OLD.`at` > (unixepoch() - 364 * 86400) * 1000
BEGIN SELECT raise(ABORT, 'The audit log keeps its entries for a year.'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_events_keeps_values` BEFORE UPDATE ON `audit_events`
BEGIN SELECT raise(ABORT, 'The audit log keeps its entries as they are.'); END;
--> statement-breakpoint
CREATE TRIGGER `setting_events_keeps_rows` BEFORE DELETE ON `setting_events`
BEGIN SELECT raise(ABORT, 'The history of settings keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `setting_events_keeps_values` BEFORE UPDATE ON `setting_events`
WHEN (NEW.`rowid`, NEW.`id`, NEW.`setting`, NEW.`recordId`, NEW.`version`, NEW.`action`, NEW.`at`, NEW.`by`)
	IS NOT (OLD.`rowid`, OLD.`id`, OLD.`setting`, OLD.`recordId`, OLD.`version`, OLD.`action`, OLD.`at`, OLD.`by`)
	OR (NEW.`before` IS NOT OLD.`before` AND NEW.`before` IS NOT json_remove(OLD.`before`, '$.userEmail'))
	OR (NEW.`after` IS NOT OLD.`after` AND NEW.`after` IS NOT json_remove(OLD.`after`, '$.userEmail'))
BEGIN SELECT raise(ABORT, 'The history of settings keeps all but an email.'); END;
--> statement-breakpoint
CREATE TRIGGER `order_events_keeps_rows` BEFORE DELETE ON `order_events`
BEGIN SELECT raise(ABORT, 'The history of orders keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `order_events_keeps_values` BEFORE UPDATE ON `order_events`
WHEN (NEW.`rowid`, NEW.`orderId`, NEW.`version`, NEW.`kind`, NEW.`at`, NEW.`role`)
	IS NOT (OLD.`rowid`, OLD.`orderId`, OLD.`version`, OLD.`kind`, OLD.`at`, OLD.`role`)
	OR NEW.`accountId` NOT IN (OLD.`accountId`, '')
	OR NEW.`before` NOT IN (OLD.`before`, '{}')
	OR NEW.`after` NOT IN (OLD.`after`, '{}', json_remove(OLD.`after`, '$.note'))
BEGIN SELECT raise(ABORT, 'The history of orders keeps all but what is personal.'); END;
--> statement-breakpoint
CREATE TRIGGER `inbox_events_keeps_rows` BEFORE DELETE ON `inbox_events`
BEGIN SELECT raise(ABORT, 'The history of the inbox keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `inbox_events_keeps_values` BEFORE UPDATE ON `inbox_events`
BEGIN SELECT raise(ABORT, 'The history of the inbox keeps its values.'); END;
--> statement-breakpoint
CREATE TRIGGER `content_history_keeps_rows` BEFORE DELETE ON `content_history`
BEGIN SELECT raise(ABORT, 'The history of the content keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `content_history_keeps_values` BEFORE UPDATE ON `content_history`
BEGIN SELECT raise(ABORT, 'The history of the content keeps its values.'); END;
--> statement-breakpoint
CREATE TRIGGER `publications_keeps_rows` BEFORE DELETE ON `publications`
BEGIN SELECT raise(ABORT, 'The list of publications keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `publications_keeps_values` BEFORE UPDATE ON `publications`
WHEN (NEW.`revision`, NEW.`at`, NEW.`by`, NEW.`changedPages`, NEW.`readMs`, NEW.`renderMs`)
	IS NOT (OLD.`revision`, OLD.`at`, OLD.`by`, OLD.`changedPages`, OLD.`readMs`, OLD.`renderMs`)
BEGIN SELECT raise(ABORT, 'The list of publications keeps all but how long a write took.'); END;
--> statement-breakpoint
-- `INSERT OR REPLACE` deletes a row without the triggers of DELETE. The text names the constraint, as the database itself
-- would without OR REPLACE: savers at once are told apart by it. A row can also be replaced by its rowid, which differs
-- from the key unless the key is an INTEGER PRIMARY KEY.
CREATE TRIGGER `audit_events_replaces_nothing` BEFORE INSERT ON `audit_events` WHEN EXISTS (SELECT 1 FROM `audit_events` WHERE `sequence` = NEW.`sequence`)
BEGIN SELECT raise(ABORT, 'UNIQUE constraint failed: audit_events.sequence. The audit log keeps its entries as they are.'); END;
--> statement-breakpoint
CREATE TRIGGER `setting_events_replaces_nothing` BEFORE INSERT ON `setting_events` WHEN EXISTS (SELECT 1 FROM `setting_events` WHERE `id` = NEW.`id` OR `rowid` = NEW.`rowid`)
BEGIN SELECT raise(ABORT, 'UNIQUE constraint failed: setting_events.id. The history of settings keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `order_events_replaces_nothing` BEFORE INSERT ON `order_events` WHEN EXISTS (SELECT 1 FROM `order_events` WHERE (`orderId` = NEW.`orderId` AND `version` = NEW.`version`) OR `rowid` = NEW.`rowid`)
BEGIN SELECT raise(ABORT, 'UNIQUE constraint failed: order_events.orderId, order_events.version. The history of orders keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `inbox_events_replaces_nothing` BEFORE INSERT ON `inbox_events` WHEN EXISTS (SELECT 1 FROM `inbox_events` WHERE `_id` = NEW.`_id` OR `rowid` = NEW.`rowid`)
BEGIN SELECT raise(ABORT, 'UNIQUE constraint failed: inbox_events._id. The history of the inbox keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `content_history_replaces_nothing` BEFORE INSERT ON `content_history` WHEN EXISTS (SELECT 1 FROM `content_history` WHERE `id` = NEW.`id` OR `rowid` = NEW.`rowid`)
BEGIN SELECT raise(ABORT, 'UNIQUE constraint failed: content_history.id. The history of the content keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `publications_replaces_nothing` BEFORE INSERT ON `publications` WHEN EXISTS (SELECT 1 FROM `publications` WHERE `revision` = NEW.`revision`)
BEGIN SELECT raise(ABORT, 'UNIQUE constraint failed: publications.revision. The list of publications keeps its rows.'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_replaces_nothing` BEFORE INSERT ON `ledger` WHEN EXISTS (SELECT 1 FROM `ledger` WHERE `sequence` = NEW.`sequence` OR `key` = NEW.`key`)
BEGIN SELECT raise(ABORT, 'UNIQUE constraint failed: ledger.sequence. The ledger keeps its rows.'); END;
--> statement-breakpoint
-- The full-text index of customers, and their count (docs/decisions/personal-data.md).
INSERT OR REPLACE INTO `customer_counts` (`scope`, `count`) VALUES ('all', 0);--> statement-breakpoint
CREATE VIRTUAL TABLE `customer_search` USING fts5(`name`, `email`, `company`, `phone`, content='customers', content_rowid='sequence', tokenize='unicode61 remove_diacritics 2', prefix='2 3');--> statement-breakpoint
-- Without this option the index would keep the words of deleted rows until it is next merged.
INSERT INTO `customer_search` (`customer_search`, `rank`) VALUES ('secure-delete', 1);--> statement-breakpoint
CREATE TRIGGER `customers_added` AFTER INSERT ON `customers`
BEGIN
	INSERT INTO `customer_search` (`rowid`, `name`, `email`, `company`, `phone`) VALUES (NEW.`sequence`, NEW.`name`, NEW.`email`, NEW.`company`, NEW.`phone`);
	UPDATE `customer_counts` SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `customers_removed` AFTER DELETE ON `customers`
BEGIN
	INSERT INTO `customer_search` (`customer_search`, `rowid`, `name`, `email`, `company`, `phone`) VALUES ('delete', OLD.`sequence`, OLD.`name`, OLD.`email`, OLD.`company`, OLD.`phone`);
	UPDATE `customer_counts` SET `count` = `count` - 1;
END;
--> statement-breakpoint
CREATE TRIGGER `customers_renamed` AFTER UPDATE OF `name`, `email`, `company`, `phone` ON `customers` WHEN (NEW.`name`, NEW.`email`, NEW.`company`, NEW.`phone`) <> (OLD.`name`, OLD.`email`, OLD.`company`, OLD.`phone`)
BEGIN
	INSERT INTO `customer_search` (`customer_search`, `rowid`, `name`, `email`, `company`, `phone`) VALUES ('delete', OLD.`sequence`, OLD.`name`, OLD.`email`, OLD.`company`, OLD.`phone`);
	INSERT INTO `customer_search` (`rowid`, `name`, `email`, `company`, `phone`) VALUES (NEW.`sequence`, NEW.`name`, NEW.`email`, NEW.`company`, NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `accounts_described` AFTER UPDATE OF `company`, `phone` ON `accounts` WHEN (NEW.`company`, NEW.`phone`) <> (OLD.`company`, OLD.`phone`)
BEGIN
	UPDATE `customers` SET `company` = NEW.`company`, `phone` = NEW.`phone` WHERE `_id` = NEW.`id`;
END;
