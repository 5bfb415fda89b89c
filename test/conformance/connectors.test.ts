/** Every connector against the conformance kit, one line each: that it "makes the golden documents of them", and so on. */
import { describe, it } from "vitest"
import { connectors } from "../../connectors/index.ts"
import { conformance } from "../../connectors/testing/index.ts"

for (const { sample } of connectors) conformance({ describe, it }, (await sample()).subject)
