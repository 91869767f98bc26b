import { expect, it } from 'vitest'
import { createTestApp } from '../harness/app.ts'

it('signs an agent in and answers one local and two platform root fields in one go', async () => {
  await using app = await createTestApp()
  const { token } = await app.signIn('agent1@demo.example')
  const answer = await app.graphql(
    `{ me { role user { email } agent { name } } leads(first: 2) { totalCount edges { node { id name insight { summary } } } } calls(first: 1) { totalCount } }`,
    { token },
  )
  expect(answer.errors).toBeUndefined()
  expect(answer.data).toMatchObject({ me: { role: 'AGENT', user: { email: 'agent1@demo.example' } } })
})
