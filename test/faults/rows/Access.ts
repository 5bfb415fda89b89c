/** Lists faults in authorisation: tokens, keys, the vault, names and tenants, approvals. */
import { type FaultRow, row } from "../../support/FaultRow.ts"

export const ACCESS: ReadonlyArray<FaultRow> = [
  row(
    "token refresh race",
    ["connectors/contract/vault.long.test.ts", "are refreshed once for many who need one"],
    ["connectors/contract/vault.long.test.ts", "are changed by one process at a time"],
    ["connectors/contract/http.test.ts", "renews a secret that it refuses once, for however many requests"]
  ),
  row(
    "clock set while a token is in use",
    ["connectors/contract/tokens.test.ts", "goes on while a program runs, whatever the clock is set to"],
    ["connectors/contract/tokens.test.ts", "is not known to a later program whose clock is behind"]
  ),
  row("odd lifetime of a token", [
    "connectors/contract/tokens.test.ts",
    "that the source states in an odd way loses no token"
  ]),
  row("kill during connect", ["cli/ConnectKilled.long.test.ts", "keeps what was there or what is new, whole"]),
  row(
    "secrets changed meanwhile",
    ["cli/KeyRotation.test.ts", "counts from the next run on, and of another account is refused"],
    ["cli/KeyRotation.test.ts", "counts from the next turn on: what was kept opens"]
  ),
  row(
    "disk full while a token rotates",
    ["connectors/contract/vault.long.test.ts", "stops before the source is asked for a token that could not be kept"],
    ["connectors/contract/vault.long.test.ts", "keeps a token that was answered, however long it is"]
  ),
  row(
    "vault swapped, changed or cut off",
    ["connectors/contract/vault.long.test.ts", "does not open beside another state file"],
    ["connectors/contract/vault.long.test.ts", "that was cut off, emptied or changed says so"]
  ),
  row(
    "two state files of one seller",
    ["sync/apply/OtherWriter.test.ts", "that has already created an invoice"],
    ["sync/apply/OtherWriter.test.ts", "that has reported a payment as"],
    ["sync/apply/OtherWriter.test.ts", "is seen before one of ours leaves"],
    ["sync/apply/OtherWriter.test.ts", "is not suspected of what this one sent without an answer"],
    ["cli/Independent.long.test.ts", "has nothing to name where the ledger lost a payment"]
  ),
  row(
    "a shop's plugin captures beside Daybook",
    ["cli/Watch.test.ts", "is watched: each fault is found with its money"],
    ["cli/Watch.test.ts", "O7: is an attention item for each fault in every run"],
    ["cli/OrderHands.test.ts", "a capture that comes with ours to what is due"],
    ["sync/stories/OrderStory.long.test.ts", "somebody else captured more than is due"]
  ),
  row(
    "orders of others, and public numbers in place of identifiers",
    ["cli/OrdersFound.test.ts", "are found by the number of their deferred payment"],
    ["cli/OrdersFound.test.ts", "that carry another service's transaction are nobody's here"],
    ["cli/OrdersFound.test.ts", "that the service does not know cost one request in each run"]
  ),
  row(
    "two tenants of one state file",
    ["cli/Tenants.test.ts", "reads nothing of another"],
    ["cli/Tenants.test.ts", "decides nothing for another"],
    ["cli/Tenants.test.ts", "says of its own connections alone that they are meant, and renames none"],
    ["cli/Tenants.test.ts", "does not get a connection of a name that another has open"]
  ),
  row(
    "connection renamed, or pointed at another source",
    ["cli/Renames.long.test.ts", "stops, and with `connections rename` keeps its ledger and its keys"],
    ["cli/Renames.long.test.ts", "is given its name in a program, too"],
    ["cli/Renames.long.test.ts", "stops before it is read or sent, until a person says that it is meant"]
  ),
  row(
    "approved plan that cannot be sent",
    ["sync/pull/Backoff.test.ts", "waits all the same while a failure is left alone"],
    ["cli/Approval.test.ts", "keeps the approval of a turn that sent nothing"],
    ["cli/Bounded.long.test.ts", "is tried once and left alone, in the real daemon"]
  ),
  row(
    "a program repeats a request to the HTTP interface, or the daemon stops in the middle of one",
    ["cli/HttpScopes.test.ts", "is carried out once, and answered the same again"],
    ["cli/HttpScopes.test.ts", "is not carried out twice at once, nor after the daemon was stopped in the middle"]
  ),
  row(
    "a run that sends the approved part of a plan is cut off",
    ["cli/ApprovedParts.test.ts", "that was cut off leaves nothing to be sent unasked"],
    ["cli/ApprovedParts.test.ts", "is not sent if anything that was shown has changed since"]
  ),
  row("lost refresh answer", ["connectors/contract/vault.long.test.ts", "whose refresh got no answer are still there"]),
  row("token revoked", ["connectors/contract/vault.long.test.ts", "that were revoked say what to do, and no secret"]),
  row("an evidence pack whose own parts hide what was left out, added or edited", [
    "page/Evidence.long.test.ts",
    "names what was changed, removed or added, wherever it stands"
  ]),
  row("a form of somebody who may see some connections only leads to a page, or gives money to invoices of others", [
    "security/Persons.long.test.ts",
    "see only what is theirs on the page that a form leads to, and give no money to invoices of others"
  ]),
  row(
    "a decision that is taken back after something rests on it",
    ["sync/decisions/Undo.test.ts", "stands once something rests on it: {what}"],
    ["sync/decisions/Undo.test.ts", "is named by its digest and its kind"],
    ["sync/decisions/Undo.test.ts", "about a payment is one about the books of its invoices, too"],
    ["sync/stories/OrderDecided.long.test.ts", "asks again once an answer was taken back"]
  ),
  row("payments for invoices that the books do not have, as a month is closed", [
    "cli/Close.test.ts",
    "names payments and credit notes of which its own books have no invoice"
  ]),
  row("an invoice that is in another currency after its month was closed", [
    "cli/Close.test.ts",
    "says of an invoice that is in another currency since then that it is late in both"
  ]),
  row("an invoice that changes after an assistant prepared that a payment is for it", [
    "page/Prepared.test.ts",
    "is chosen only as long as the invoices that it names"
  ]),
  row(
    "a sign-in at a provider that is replayed, forged, of another program, or not allowed here",
    ["page/OpenId.long.test.ts", "are let in by nothing that does not hold"],
    ["page/OpenId.long.test.ts", "have what the first of their groups allows"],
    ["page/OpenId.long.test.ts", "are sent back to the page only"],
    ["page/OpenId.long.test.ts", "go nowhere while the provider is inside this network"]
  ),
  row("another site has pages with its own words asked for, and looks at how long they are", [
    "cli/Send.test.ts",
    "tell another site nothing by their length, not even one of this host"
  ]),
  row("somebody who is signed out at the provider", [
    "page/OpenId.long.test.ts",
    "are out everywhere when the provider signs them out, and only then"
  ]),
  row(
    "a program takes back a decision that it did not look at, or that its owner could not have made",
    ["cli/UndoElsewhere.test.ts", "is listed, and taken back once by its digest"],
    ["cli/UndoElsewhere.test.ts", "about a plan is for those who may decide about plans"]
  )
]
