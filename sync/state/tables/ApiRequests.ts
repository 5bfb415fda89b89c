/** Requests to the HTTP interface that may not be carried out twice, see `ApiRequests.ts`. A migration, see migrations.ts. */
export const API_REQUESTS = `
-- Claimed before it is carried out. Without a status: it is being carried out, or was cut off.
CREATE TABLE api_request (
  caller      TEXT NOT NULL,
  name        TEXT NOT NULL,
  request     TEXT NOT NULL,
  began       INTEGER NOT NULL,
  status      INTEGER,
  answer      TEXT,
  PRIMARY KEY (caller, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX api_request_began ON api_request (began);
`
