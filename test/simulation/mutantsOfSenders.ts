/** Mistakes in telling senders of requests apart, and in what each of them may do. */
import type { UnitMutant } from "./unitMutants.ts"

const OPENID = "test/page/OpenId.long.test.ts"

export const SENDERS: ReadonlyArray<UnitMutant> = [
  {
    name: "what another site asks for is compressed",
    caughtBy: ["test/cli/Send.test.ts", "tell another site nothing by their length"],
    changes: [
      { file: "cli/daemon/Send.ts", from: 'site !== "none" && site !== "same-origin"', to: 'site === "cross-site"' }
    ]
  },
  {
    name: "a token that the provider did not sign lets somebody in",
    caughtBy: [OPENID, "are let in by nothing that does not hold"],
    changes: [{ file: "cli/page/OpenId.ts", from: "client.enableNonRepudiationChecks,", to: "" }]
  },
  {
    name: "whoever the provider knows has what the last group allows",
    caughtBy: [OPENID, "have what the first of their groups allows"],
    changes: [
      {
        file: "sync/library/config/OpenIdSettings.ts",
        from: "groups?.allow.find(({ value }) => values.includes(value))",
        to: "groups?.allow.at(-1)"
      }
    ]
  },
  {
    name: "who is taken out of the accounts stays signed in from the provider",
    caughtBy: [OPENID, "are who the provider says"],
    changes: [
      { file: "cli/page/Sessions.ts", from: "found.account !== undefined &&", to: "found.account?.hash === null &&" }
    ]
  },
  {
    name: "a provider leads into this network",
    caughtBy: [OPENID, "go nowhere while the provider is inside this network"],
    changes: [{ file: "cli/page/OpenId.ts", from: "privateAddresses ? Context.empty()", to: "true ? Context.empty()" }]
  },
  {
    name: "a token for another program signs somebody out",
    caughtBy: [OPENID, "are out everywhere when the provider signs them out, and only then"],
    changes: [{ file: "cli/page/OpenId.ts", from: "audience: this.#options.settings.client_id,", to: "" }]
  },
  {
    name: "forms from another port of the same host are accepted",
    caughtBy: ["test/security/OtherSites.long.test.ts", "sends no form in the name of who is signed in"],
    changes: [
      { file: "cli/daemon/Host.ts", from: 'site === "same-origin"', to: '["same-origin", "same-site"].includes(site)' }
    ]
  },
  {
    name: "the time of a refusal tells what was looked at for it",
    caughtBy: ["test/cli/Server.test.ts", "refuses whoever came first before others"],
    changes: [
      { file: "cli/daemon/Server.ts", from: "if (answer.status === 401) void", to: "if (answer.status === 0) void" }
    ]
  },
  {
    name: "a name that nobody has is refused without a slow hash",
    caughtBy: ["test/page/People.test.ts", "makes the same work, whether its name is known"],
    changes: [{ file: "sync/library/PasswordHash.ts", from: "stored: string = NOBODY", to: 'stored: string = ""' }]
  },
  {
    name: "wrong passwords of one make all wait",
    caughtBy: ["test/page/Door.long.test.ts", "delays only those who send wrong passwords"],
    changes: [
      {
        file: "cli/page/Sessions.ts",
        from: "const before = this.#tries.get(sender)",
        to: "const before = [...this.#tries.values()].at(-1)"
      }
    ]
  },
  {
    name: "a browser that signed in before waits for the guesses of others",
    caughtBy: ["test/page/Door.long.test.ts", "delays only those who send wrong passwords"],
    changes: [
      {
        file: "cli/page/Sessions.ts",
        from: "equal(signature, this.#known(browser)) ?",
        to: "equal(signature, browser) ?"
      }
    ]
  },
  {
    name: "whoever guesses from many addresses comes first",
    caughtBy: ["test/page/Accounts.long.test.ts", "are let in before those who guess on"],
    changes: [
      {
        file: "sync/library/PasswordHash.ts",
        from: "guesses > work.guesses",
        to: "guesses < 0 && work.guesses < 0"
      }
    ]
  },
  {
    name: "a browser that signed in before waits behind strangers",
    caughtBy: ["test/page/Accounts.long.test.ts", "are let in before those who guess on"],
    changes: [{ file: "cli/page/Sessions.ts", from: "sender.startsWith(BROWSER) ? 0 : MOST", to: "MOST" }]
  },
  {
    name: "cookies of TLS are sent without it",
    caughtBy: ["test/page/Door.long.test.ts", "is reached over TLS from then on"],
    changes: [{ file: "cli/page/Cookie.ts", from: "secure: encrypted", to: "secure: false" }]
  },
  {
    name: "whoever says so is a proxy",
    caughtBy: ["test/cli/Sender.test.ts", "is whoever connects, if that is no trusted proxy"],
    changes: [{ file: "cli/daemon/Sender.ts", from: "while (trusts(from) &&", to: "while (" }]
  },
  {
    name: "strangers keep others from their links",
    caughtBy: ["test/connect/Links.long.test.ts", "makes those wait who ask too often"],
    changes: [
      {
        file: "cli/connect/ConnectRoutes.ts",
        from: 'allows(link === "" ? request.from :',
        to: 'allows(link !== "no" ? request.from :'
      }
    ]
  },
  {
    name: "other users of the machine read an export",
    caughtBy: ["test/security/FileModes.long.test.ts", "of every command are their owner's alone"],
    changes: [{ file: "sync/export/OutputFile.ts", from: "(earlier?.mode ?? OWN)", to: "(earlier?.mode ?? 0o666)" }]
  },
  {
    name: "an assistant reads a line of the log",
    caughtBy: ["test/cli/Assistant.long.test.ts", "writes nothing but the protocol to standard output"],
    changes: [{ file: "cli/Program.ts", from: '"stderr"),', to: '"stdout"),' }]
  },
  {
    name: "a download goes on when nobody waits for it",
    caughtBy: ["test/security/Downloads.long.test.ts", "that is abandoned leaves nothing open"],
    changes: [
      {
        file: "cli/remote/HttpRoutes.ts",
        from: "await handler(new Request(asRequest(request), { signal }))",
        to: "await handler(asRequest(request))"
      },
      { file: "cli/remote/HttpRoutes.ts", from: "if (signal.aborted) await", to: "if (signal.aborted && false) await" },
      {
        file: "cli/daemon/Send.ts",
        from: "return void (body instanceof ReadableStream && body.cancel())",
        to: "return"
      }
    ]
  },
  {
    name: "a daemon on this machine takes its own name for that of a proxy",
    caughtBy: ["test/connect/Links.long.test.ts", "makes those wait who ask too often"],
    changes: [{ file: "cli/daemon/Server.ts", from: "!isLocal(name) && ", to: "" }]
  }
]
