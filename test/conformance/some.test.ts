/** A few connectors, each made in another way, against the conformance kit; in a long run all are. */
import { describe, it } from "vitest"
import { connectors } from "../../connectors/index.ts"
import { conformance } from "../../connectors/testing/index.ts"

const SOME = ["files", "shopify"]

for (const { name, sample } of connectors)
  if (SOME.includes(name)) conformance({ describe, it }, (await sample()).subject)
