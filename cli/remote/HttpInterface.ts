/**
 * Defines the daemon's HTTP interface: what the library does, for programs in other languages. Its OpenAPI document is
 * generated from the groups' definitions, which also encode the answers, and served at `/api/v1/openapi.json`.
 *
 * Each operation requires a token with its scope. Amounts are decimal text, instants ISO 8601 in UTC.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { Explains } from "./Access.ts"
import { connecting } from "./ConnectGroup.ts"
import { covering, spending } from "./CoverGroup.ts"
import { deciding } from "./DecideGroup.ts"
import { downloading, saving } from "./DownloadGroup.ts"
import { planning } from "./PlanGroup.ts"
import { reading } from "./ReadGroup.ts"

export const PREFIX = "/api/v1"

export class HttpInterface extends HttpApi.make("daybook")
  .add(reading, planning, covering, deciding, spending, downloading, saving, connecting)
  .prefix(PREFIX)
  .middleware(Explains)
  .annotateMerge(
    OpenApi.annotations({
      title: "Daybook",
      version: "1",
      description:
        "What a seller's books say, what the service holds, and what is to be sent. Tokens are named in the configuration, `daemon.api`; `security` of each operation names the scope that it needs."
    })
  ) {}
