// What pages use of lib/, under one name.
export * from './api.js';
export * from './dialog.js';
export * from './dom.js';
export * from './events.js';
export * from './json.js';
export * from './route.js';
export * from './store.js';
export * from './table.js';
export * from './time.js';
export * from './viewer.js';
