import { expect, test } from 'vitest';
import { parseStatements } from './sql-text.ts';

const texts = (sql: string) => parseStatements(sql).map((statement) => statement.text);
const only = (sql: string) => {
  const [statement, ...rest] = parseStatements(sql);
  expect(rest).toEqual([]);
  return statement;
};

test('Statements are split at semicolons that are not inside quotes or comments', () => {
  expect(texts(`SELECT 'a;''b', ";", [;], \`;\`; -- one; two\n SELECT /* ; */ 2 ;;`)).toEqual([
    `SELECT 'a;''b', ";", [;], \`;\``,
    '-- one; two\n SELECT /* ; */ 2',
  ]);
});

test('A text of comments and semicolons contains no statement', () => {
  expect(parseStatements(' ; -- nothing\n;/* open')).toEqual([]);
});

test('The body of a trigger belongs to its statement, including CASE and END', () => {
  const trigger =
    'CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET x = CASE WHEN 1 THEN 2 END; DELETE FROM b; END';
  expect(texts(`${trigger}; SELECT 1`)).toEqual([trigger, 'SELECT 1']);
});

test('BEGIN and END of a transaction are separate statements', () => {
  expect(texts('BEGIN; INSERT INTO a VALUES (1); END; SELECT 1')).toHaveLength(4);
});

test('The verb of a WITH statement is the one that follows its tables', () => {
  expect(only('/* x */ insert INTO a VALUES (1)')?.verb).toBe('insert');
  expect(only('WITH RECURSIVE c AS (SELECT 1), d AS (SELECT 2) UPDATE a SET x = 1')?.verb).toBe('update');
  expect(only('WITH c AS (SELECT 1) SELECT replace(x, 1, 2) FROM c')?.verb).toBe('select');
});

test('Parameters are numbered as SQLite numbers them', () => {
  expect(only('SELECT ?, ?, ?1')?.parameters).toEqual(['?1', null]);
  expect(only('SELECT :b, :a, ?1, ?3')?.parameters).toEqual([':b', ':a', '?3']);
  expect(only('SELECT ?3')?.parameters).toEqual([null, null, '?3']);
  expect(only("SELECT :a, @b, $c, :a, ':no', x -> '$.no' -- :no")?.parameters).toEqual([':a', '@b', '$c']);
});
