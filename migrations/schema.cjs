module.exports = require('../worker/tables.ts').tables;
