-- What tells who did what is added to and never changed. Forgetting a person takes their words out, retention the entries
-- of the audit log that are over; no other statement passes (docs/decisions/people.md).
CREATE TRIGGER `audit_events_keeps_rows` BEFORE DELETE ON `audit_events` WHEN OLD.`at` > (unixepoch() - 364 * 86400) * 1000
BEGIN SELECT raise(ABORT, 'The audit log keeps its entries for a year.'); END;--> statement-breakpoint
CREATE TRIGGER `audit_events_keeps_values` BEFORE UPDATE ON `audit_events`
BEGIN SELECT raise(ABORT, 'The audit log keeps its entries as they are.'); END;--> statement-breakpoint
CREATE TRIGGER `setting_events_keeps_rows` BEFORE DELETE ON `setting_events`
BEGIN SELECT raise(ABORT, 'The history of settings keeps its rows.'); END;--> statement-breakpoint
CREATE TRIGGER `setting_events_keeps_values` BEFORE UPDATE ON `setting_events`
WHEN (NEW.`id`, NEW.`setting`, NEW.`recordId`, NEW.`version`, NEW.`action`, NEW.`at`, NEW.`by`)
	IS NOT (OLD.`id`, OLD.`setting`, OLD.`recordId`, OLD.`version`, OLD.`action`, OLD.`at`, OLD.`by`)
	OR (NEW.`before` IS NOT OLD.`before` AND NEW.`before` IS NOT json_remove(OLD.`before`, '$.userEmail'))
	OR (NEW.`after` IS NOT OLD.`after` AND NEW.`after` IS NOT json_remove(OLD.`after`, '$.userEmail'))
BEGIN SELECT raise(ABORT, 'The history of settings keeps all but an email.'); END;--> statement-breakpoint
CREATE TRIGGER `order_events_keeps_rows` BEFORE DELETE ON `order_events`
BEGIN SELECT raise(ABORT, 'The history of orders keeps its rows.'); END;--> statement-breakpoint
CREATE TRIGGER `order_events_keeps_values` BEFORE UPDATE ON `order_events`
WHEN (NEW.`orderId`, NEW.`version`, NEW.`kind`, NEW.`at`, NEW.`role`)
	IS NOT (OLD.`orderId`, OLD.`version`, OLD.`kind`, OLD.`at`, OLD.`role`)
	OR NEW.`accountId` NOT IN (OLD.`accountId`, '')
	OR NEW.`before` NOT IN (OLD.`before`, '{}')
	OR NEW.`after` NOT IN (OLD.`after`, '{}', json_remove(OLD.`after`, '$.note'))
BEGIN SELECT raise(ABORT, 'The history of orders keeps all but what is personal.'); END;--> statement-breakpoint
CREATE TRIGGER `inbox_events_keeps_rows` BEFORE DELETE ON `inbox_events`
BEGIN SELECT raise(ABORT, 'The history of the inbox keeps its rows.'); END;--> statement-breakpoint
CREATE TRIGGER `inbox_events_keeps_values` BEFORE UPDATE ON `inbox_events`
BEGIN SELECT raise(ABORT, 'The history of the inbox keeps its values.'); END;--> statement-breakpoint
CREATE TRIGGER `content_history_keeps_rows` BEFORE DELETE ON `content_history`
BEGIN SELECT raise(ABORT, 'The history of the content keeps its rows.'); END;--> statement-breakpoint
CREATE TRIGGER `content_history_keeps_values` BEFORE UPDATE ON `content_history`
BEGIN SELECT raise(ABORT, 'The history of the content keeps its values.'); END;--> statement-breakpoint
CREATE TRIGGER `publications_keeps_rows` BEFORE DELETE ON `publications`
BEGIN SELECT raise(ABORT, 'The list of publications keeps its rows.'); END;--> statement-breakpoint
CREATE TRIGGER `publications_keeps_values` BEFORE UPDATE ON `publications`
WHEN (NEW.`revision`, NEW.`at`, NEW.`by`, NEW.`changedPages`, NEW.`readMs`, NEW.`renderMs`)
	IS NOT (OLD.`revision`, OLD.`at`, OLD.`by`, OLD.`changedPages`, OLD.`readMs`, OLD.`renderMs`)
BEGIN SELECT raise(ABORT, 'The list of publications keeps all but how long a write took.'); END;
