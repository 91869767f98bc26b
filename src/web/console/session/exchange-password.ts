import { consoleSettings } from '../data/settings.ts'
import { service } from '../data/service-client.ts'

export type Credentials = { readonly email: string; readonly password: string; readonly workspace: string }

type LoginToken = { readonly getLoginTokenFromCredentials: { readonly loginToken: { readonly token: string } } }

/** A field of the platform: it is not in the service's own schema, so it has no generated types. */
const loginTokenMutation = `mutation SignIn($email: String!, $password: String!, $origin: String!) {
  getLoginTokenFromCredentials(email: $email, password: $password, origin: $origin) { loginToken { token } }
}`

/** Signs in at the platform alone, without an agent session: for an agent whose session is elsewhere. */
export async function exchangePassword({ email, password, workspace }: Credentials): Promise<void> {
  const origin = consoleSettings.workspaceUrl.replace('{workspace}', workspace)
  const { getLoginTokenFromCredentials } = loginTokenIn(await service.execute(loginTokenMutation, { email, password, origin }))
  await service.exchangeLoginToken({ loginToken: getLoginTokenFromCredentials.loginToken.token, workspace })
}

/** The platform answers what its schema says. */
function loginTokenIn(data: unknown): LoginToken
function loginTokenIn(data: unknown): unknown {
  return data
}
