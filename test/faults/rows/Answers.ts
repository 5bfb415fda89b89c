/** Lists faults in answers: limits, waits, statuses, and bodies that are not the service's own. */
import { type FaultRow, row } from "../../support/FaultRow.ts"
import { SIMULATION, trouble } from "./Shown.ts"

export const ANSWERS: ReadonlyArray<FaultRow> = [
  row(
    "429 with and without Retry-After",
    ["sync/apply/Apply.test.ts", "waits as long as Retry-After says, for that endpoint only"],
    trouble("waits as long as it is asked to (429, Retry-After)"),
    trouble("waits where no time is given (429)")
  ),
  row(
    "429 with a day-long Retry-After",
    ["sync/apply/Apply.test.ts", "a day-long Retry-After stops the run, and the next one goes on"],
    trouble("leaves a limit of a day to a later run")
  ),
  row(
    "absurd Retry-After",
    ["core/Answers.long.test.ts", "is a number between nothing and a year, or nothing at all, whatever it says"],
    ["connectors/contract/http.test.ts", "that says anything at all in Retry-After is waited for"]
  ),
  row(
    "429 with a wait in another header",
    ["connectors/contract/http.test.ts", "is not asked before its limit begins anew, by its own clock"],
    ["connectors/contract/waits.test.ts", "is between nothing and a year, or nothing at all, whatever anybody wrote"]
  ),
  row(
    "200, 201 or 204 in place of another",
    ["core/Answers.long.test.ts", "{what}: 200, 201, 202 and 203 with a body that can be read are an answer"],
    ["connectors/contract/answers.test.ts", "that has nothing to say (204) is asked once"]
  ),
  row(
    "5xx bursts",
    ["faults/Machine.long.test.ts", "to {length} requests in a row"],
    trouble("tries again after a fault of the source (5xx)"),
    trouble("says so when the fault stays (5xx)")
  ),
  row(
    "200 with HTML",
    ["core/ClientErrors.long.test.ts", "{what}: unknown, because it may have been acted on"],
    trouble("knows a web page from an answer")
  ),
  row(
    "a proxy's page with a meaningful status",
    ["sync/apply/Foreign.long.test.ts", "in answer to {what} that was "],
    ["core/Answers.long.test.ts", "answered with {status} by somebody else: unknown"],
    ["connectors/contract/http.test.ts", "that is a web page with 404 does not say that something is gone"],
    ["orders/Alone.ts", "a foreign page answers recovery of a capture"],
    SIMULATION
  ),
  row(
    "an endless or compressed answer",
    ["core/Answers.long.test.ts", "{what}: it is left, and says how much is too much"],
    ["core/Answers.long.test.ts", "that unpacks to gigabytes is not unpacked"],
    ["security/Answers.long.test.ts", "that does not end is left once it is larger than any page of records"],
    ["connectors/sql/silence.long.test.ts", "is let go before it fills the memory"],
    ["sync/alerts/Channels.test.ts", "is read so far as it may be long, and what is longer ends the connection"],
    [
      "sync/alerts/Email.test.ts",
      "ends the connection with whoever waits for it, to a server that always sends a little"
    ]
  )
]
