import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import type { Asked } from '../harness/graphql-and-rest.ts'
import { loginTokenOf } from '../harness/tokens-without-session.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const credentials = (email: string, password = sandboxPassword, workspace = 'demo'): Asked => {
  const input = { email, password, workspace }
  return { body: input, variables: { input } }
}

const loginToken = (token: string, workspace = 'demo'): Asked => {
  const input = { loginToken: token, workspace }
  return { body: input, variables: { input } }
}

const refresh = (refreshToken: string): Asked => ({ body: { refreshToken }, variables: { refreshToken } })

export const authScenarios: Scenarios = {
  'POST /auth/login': {
    sample: credentials('user@demo.example'),
    results: ['OK', 'SESSION_LOCKED', 'OK', 'SIGN_IN_REFUSED', 'SIGN_IN_REFUSED', 'WORKSPACE_NOT_SERVED', 'INVALID_INPUT'],
    play: (ask) =>
      inSequence(
        () => ask(credentials('agent2@demo.example'), null),
        () => ask(credentials('agent2@demo.example'), null),
        () => ask(credentials('manager@demo.example'), null),
        () => ask(credentials('user@demo.example', 'wrong'), null),
        () => ask(credentials('nobody@demo.example'), null),
        () => ask(credentials('user@demo.example', sandboxPassword, 'elsewhere'), null),
        () => ask(credentials('user@demo.example', sandboxPassword, 'no label'), null),
      ),
  },
  'POST /auth/tokens': {
    sample: loginToken('eyJ.a.b'),
    results: ['OK', 'TOKEN_REFUSED', 'WORKSPACE_NOT_SERVED'],
    play: async (ask, { app }) => {
      const token = await loginTokenOf({ url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }, 'user@demo.example')
      return inSequence(
        () => ask(loginToken(token), null),
        () => ask(loginToken('eyJ.no.token'), null),
        () => ask(loginToken(token, 'elsewhere'), null),
      )
    },
  },
  'POST /auth/refresh': {
    sample: refresh('eyJ.a.b'),
    results: ['OK', 'TOKEN_REFUSED', 'TOKEN_REFUSED'],
    play: (ask, { user }) =>
      inSequence(
        () => ask(refresh(user.refreshToken), null),
        () => ask(refresh('eyJ.no.token'), null),
        () => ask(refresh(user.token), null),
      ),
  },
  'GET /auth/me': {
    sample: {},
    results: ['OK', 'OK', 'OK'],
    play: (ask, { manager, agent, user }) =>
      inSequence(
        () => ask({}, manager.token),
        () => ask({}, agent.token),
        () => ask({}, user.token),
      ),
  },
}
