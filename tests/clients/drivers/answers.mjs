// Answers of clients as text in which the steps can search.
/** Whatever a client resolves a call to; JSON inside JSON is unquoted. */
export const textOf = (answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer)).replaceAll('\\"', '"');
