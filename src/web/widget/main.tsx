import { render } from 'preact'
import { App } from './app.tsx'
import { type Client, createClient } from './client.ts'
import { toFailure } from './failure.ts'
import { patiently } from './patience.ts'
import { createSessionStore } from './session.ts'
import { Conversation } from './conversation.ts'
import { themeSheet } from './theme-sheet.ts'
import styles from './widget.css?inline'

const elementName = 'call-center-widget'

/** `<call-center-widget>`. The widget is in a shadow tree, so that the page's styles and ours do not affect each other. */
class CallCenterWidget extends HTMLElement {
  private client: Client | null = null
  private widgetKey = ''

  use(baseUrl: string, widgetKey: string): void {
    this.widgetKey = widgetKey
    this.client = createClient({ baseUrl, widgetKey })
  }

  connectedCallback(): void {
    this.show().catch((error: unknown) => {
      const { status, message } = toFailure(error)
      // For the page's developer; visitors do not see it.
      console.warn(`The chat widget is not shown: ${message || 'the service does not answer'} (${status})`)
    })
  }

  private async show(): Promise<void> {
    const { client } = this
    if (!client || this.shadowRoot) return
    const root = this.attachShadow({ mode: 'open' })
    const config = await patiently(() => client.config())
    if (!config || !(config.canChat || config.canBook)) return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    root.adoptedStyleSheets = [sheet, themeSheet(config)]
    const session = createSessionStore(this.widgetKey)
    const { conversationId, isKnown } = session.read()
    const conversation = new Conversation({ client, conversationId, onBegun: (id) => session.write({ conversationId: id, isKnown: true }) })
    if (isKnown && config.canChat) void conversation.restore()
    render(<App client={client} config={config} session={session} conversation={conversation} />, root)
  }
}

/** The script tag that loads this script; for a module, the tag with the key. */
function ownTag(): HTMLScriptElement | null {
  const { currentScript } = document
  if (currentScript instanceof HTMLScriptElement) return currentScript
  return document.querySelector<HTMLScriptElement>('script[data-widget-key]')
}

function begin(tag: HTMLScriptElement | null): void {
  const widgetKey = tag?.dataset['widgetKey']
  if (!tag || !widgetKey) return console.warn('The chat widget is not shown: its script tag has no data-widget-key')
  if (customElements.get(elementName)) return
  customElements.define(elementName, CallCenterWidget)
  const element = new CallCenterWidget()
  element.use(new URL('.', tag.src).href, widgetKey)
  const add = (): void => document.body.append(element)
  if (document.body) add()
  else addEventListener('DOMContentLoaded', add, { once: true })
}

begin(ownTag())
