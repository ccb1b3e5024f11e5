module.exports = require('../worker/db/schema.ts').tables;
