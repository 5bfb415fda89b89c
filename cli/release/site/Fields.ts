/** What is searched of each section, and what is shown of it: the same where the index is made and where it is read. */
export const FIELDS = { fields: ["page", "title", "text"], storeFields: ["page", "title"] }
