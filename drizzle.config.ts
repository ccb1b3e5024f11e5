import { defineConfig } from 'drizzle-kit';

/** `npm run migrations` compares the schema with the last migration and writes the SQL of the next one. */
export default defineConfig({ dialect: 'sqlite', schema: './migrations/schema.cjs', out: './migrations' });
