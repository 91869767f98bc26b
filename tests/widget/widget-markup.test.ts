import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, startBrowser } from '../harness/browser.ts'
import { type MarkedPage, markup, serveMarkup } from '../harness/markup.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openWidgetStage, type WidgetStage, type WidgetVisit } from '../harness/widget-stage.ts'

const chromium = await realServer('chromium')

describe.skipIf(chromium === null)('markup in the texts of the widget', () => {
  let stage: WidgetStage
  let browser: Browser
  beforeAll(async () => {
    if (!chromium) return
    stage = await openWidgetStage()
    browser = await startBrowser(chromium.binary)
    const { app, token } = stage
    for (const { id } of app.standIns.platform.records('demo', 'doctor')) {
      const query = 'mutation ($id: UUID!, $data: DoctorUpdateInput!) { updateDoctor(id: $id, data: $data) { id } }'
      const variables = { id, data: { name: `Dr Rao ${markup}` } }
      const { errors } = await app.graphql(query, { token, variables })
      if (errors) throw new Error(JSON.stringify(errors))
    }
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await stage?.[Symbol.asyncDispose]()
  })

  async function showsMarkup({ panel }: WidgetVisit, marked: MarkedPage, state: string): Promise<void> {
    await waitFor(async () => (await panel.innerText()).includes('onerror='), { what: state })
    expect({ state, achieved: await marked.achieved() }).toEqual({ state, achieved: [] })
  }

  test('is shown as it is: the brand, what the visitor and the assistant say, doctors and times', async () => {
    await using visit = await stage.visit(browser)
    const marked = await serveMarkup(visit.page)
    await visit.page.reload()
    await visit.launcher.click()
    await showsMarkup(visit, marked, 'the brand')
    stage.app.standIns.models.answerNext(`Please open ${markup} [this](javascript:__ran(8)) ![that](http://evil.example/x.png)`)
    await visit.say(`I am ${markup}`)
    await waitFor(async () => (await visit.panel.innerText()).includes('Please open'))
    await showsMarkup(visit, marked, 'a conversation')
    await visit.say('When is a cardiologist free?')
    await waitFor(async () => (await visit.panel.innerText()).includes('Dr Rao'), { what: 'the doctors' })
    await showsMarkup(visit, marked, 'doctors')
    expect(marked.changed()).toBeGreaterThan(0)
  })
})
