/**
 * Every place where a name is typed, given or remembered instead of known. On the page it counts only with the shared password; in
 * the HTTP interface it stands beside the token's own name; at the command line it is that of whoever has the machine.
 */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { ADDRESSES } from "../../cli/page/Routes.ts"
import { causes, isFor, needed } from "../../cli/page/RouteRights.ts"
import { ROLE_NAMES, rightsOfRoles } from "../../sync/model/Roles.ts"

const having = (pattern: string, text: RegExp): ReadonlyArray<string> =>
  globSync(pattern)
    .filter((file) => text.test(readFileSync(file, "utf8")))
    .toSorted()

describe("typed names", () => {
  it("enter in these places only", () => {
    assert.deepStrictEqual(having("cli/page/*.ts", /posted\.get\("name"\)/), [
      // Cover and collections: what they read is what `admitted` of `Page.ts` put there.
      "cli/page/CoverRoutes.ts",
      "cli/page/OwnBooks.ts",
      "cli/page/Page.ts"
    ])
    assert.match(
      readFileSync("cli/page/Page.ts", "utf8"),
      /if \(!isShared\(person\)\) posted\.set\("name", person\.name\)/
    )
    assert.deepStrictEqual(having("cli/tenants/*.ts", /posted\.get\("name"\)/), ["cli/tenants/AllRoutes.ts"])
    assert.deepStrictEqual(having("cli/remote/*.ts", /signed\(|\.get\("by"\)/), [
      "cli/remote/CoverHandlers.ts",
      "cli/remote/DecideHandlers.ts",
      "cli/remote/Recording.ts"
    ])
    assert.deepStrictEqual(having("cli/commands/*.ts", /\bme\(|userName\(\)/), [
      "cli/commands/approve.ts",
      "cli/commands/collect.ts",
      "cli/commands/cover.ts",
      "cli/commands/coverOffers.ts",
      "cli/commands/drill.ts",
      "cli/commands/tenants.ts"
    ])
  })

  it("are asked of nobody who signed in: approve, reject, resolve, match, cover, collections and notes have a right each", () => {
    const forms = ADDRESSES.filter(([method]) => method === "POST").map(([, path]) => path.split("/").slice(1))
    for (const path of forms) assert.isDefined(needed("POST", path), path.join("/"))
    assert.isUndefined(needed("POST", ["plans", "approve", "quickly"]))
    const reader = rightsOfRoles({ roles: ["reader"] })
    assert.deepStrictEqual(
      forms.filter((path) => isFor(reader, "POST", path)).map((path) => path.join("/")),
      ["seen", "language", "people/end"]
    )
    for (const role of ROLE_NAMES) {
      const rights = rightsOfRoles({ roles: [role] })
      assert.isFalse(isFor(rights, "POST", ["cover", "x", "confirm"]), role)
      assert.isTrue(isFor(rightsOfRoles({ roles: [role], declares: true }), "POST", ["cover", "x", "confirm"]), role)
    }
  })

  it("cause a plan by what changes it, not by the decision about it", () => {
    const caused = ADDRESSES.flatMap(([method, path]) => {
      const words = path.split("/").slice(1)
      const right = needed(method, words)
      return method === "POST" && right !== "own" && right !== "prepare" && causes(words) ? [path] : []
    })
    assert.deepStrictEqual(caused.toSorted(), [
      "/attention/:which/always",
      "/attention/:which/match",
      "/attention/:which/resolve",
      "/attention/:which/retry",
      "/attention/:which/same",
      "/attention/all/none",
      "/attention/all/resolve",
      "/attention/all/retry",
      "/attention/undo",
      "/connections/:which/file",
      "/connections/:which/setup",
      "/cover/:which/attach",
      "/cover/:which/confirm",
      "/cover/:which/detach",
      "/cover/:which/withdraw",
      "/cover/offers/buy",
      "/debtors/choose",
      "/debtors/forget",
      "/debtors/undo",
      "/payments/ask",
      "/payments/forget",
      "/payments/undo",
      "/setup/:which/connect",
      "/setup/:which/files",
      "/setup/:which/look",
      "/setup/files",
      "/setup/source"
    ])
  })
})
