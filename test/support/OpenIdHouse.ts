/** A daemon whose people sign in at a provider, and browsers without scripts that go there and back. */
import { books, configuration, service } from "./Cli.ts"
import { freePort, startDaemon } from "./Daemon.ts"
import { CLIENT, openIdProvider } from "./OpenIdProvider.ts"
import { personsFile } from "./People.ts"

const PEOPLE = {
  "4711": { name: "Ada Lovelace", email: "ada@example.com" },
  "4712": { name: "Bo Diddley", groups: ["staff", "finance-approvers", "finance-readers"] },
  "4713": { name: "Mallory <b>M.</b>", groups: ["staff"] }
}

const GROUPS = {
  claim: "groups",
  allow: [
    { value: "finance-approvers", roles: ["approver"], up_to: { GBP: "1000.00" } },
    { value: "finance-readers", roles: ["reader"] }
  ]
}

interface OpenIdHouse {
  readonly daemon?: object
  readonly issuer?: string
  readonly openId?: object
}

/** A daemon whose people sign in at a provider of their own, and Ada's account. */
export const openIdHouse = async ({ daemon = {}, issuer, openId = {} }: OpenIdHouse = {}) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const provider = await openIdProvider(PEOPLE, url)
  const there = await service()
  const { connections, ...rest } = configuration(there.url)
  const ada = { name: "ada", full_name: "Ada L.", roles: ["approver"] as const }
  const persons = JSON.parse(await personsFile([ada as never])) as { persons: Array<object> }
  const known = { issuer: provider.issuer, subject: "4711" }
  const here = books(there.url, {
    "daybook.config.json": JSON.stringify({
      ...rest,
      daemon: {
        private_addresses: true,
        page: {
          openid_connect: {
            issuer: issuer ?? provider.issuer,
            client_id: CLIENT.id,
            client_secret: { env: "OPENID_SECRET" },
            url,
            scopes: ["groups"],
            groups: GROUPS,
            ...openId
          }
        },
        ...daemon
      },
      connections: [{ ...connections[0], every: "1 hour", approve: true }]
    }),
    "daybook.persons.json": JSON.stringify({
      persons: persons.persons.map((one) => ({ ...one, openid_connect: known }))
    })
  })
  const env = { OPENID_SECRET: CLIENT.secret }
  return { here, provider, url, env, begin: () => startDaemon(here.folder, { env, port }) }
}

/** A browser without scripts, which keeps cookies by host and follows what it is sent to. */
export const openIdBrowser = () => {
  const jar = new Map<string, string>()
  const visited: Array<string> = []
  const ask = async (
    address: string,
    form?: Readonly<Record<string, string>>
  ): Promise<{ at: string; status: number; text: string; headers: Headers }> => {
    visited.push(address)
    const { hostname } = new URL(address)
    const cookies = [...jar].flatMap(([key, value]) =>
      key.startsWith(`${hostname} `) ? [`${key.split(" ")[1]}=${value}`] : []
    )
    const answer = await fetch(address, {
      redirect: "manual",
      headers: { cookie: cookies.join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
    })
    for (const one of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(one)!
      jar.set(`${hostname} ${name}`, value)
    }
    const to = answer.headers.get("location") ?? answer.headers.get("refresh")?.replace("0; url=", "")
    if (to !== undefined) return ask(new URL(to, address).href)
    return { at: address, status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  /** Signs in at the provider, and goes on until the page answers. */
  const signIn = async (page: string, login: string, to = "/people") => {
    let shown = await ask(`${page}/login/openid?to=${encodeURIComponent(to)}`)
    for (let n = 0; n < 3; n++) {
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(shown.text) ?? []
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(shown.text) ?? []
      if (action === undefined || prompt === undefined) break
      shown = await ask(new URL(action, shown.at).href, { prompt, login, password: "any" })
    }
    return shown
  }
  return { ask, jar, signIn, visited }
}
