import { Link } from '@tanstack/react-router'
import { PhoneCall, PhoneIncoming } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useQuery } from 'urql'
import type { ResultOf } from '../../../data/graphql.ts'
import { consoleSettings } from '../../../data/settings.ts'
import { defineLive, useLive } from '../../../data/live.ts'
import { shownNumber, spacedNumber } from '../../../ui/phone-number.tsx'
import { textOf, valuesOf } from '../configuration/form/values.ts'
import { callsLive, firstCallQuery } from './documents.ts'
import { useSetupTexts } from './texts.ts'

type Overview = ResultOf<typeof callsLive>['supervisionUpdates']

const overviewLive = defineLive(callsLive, {
  initial: nothing(),
  reduce: (_overview, { supervisionUpdates }) => supervisionUpdates,
})

function nothing(): Overview | null {
  return null
}

/** The end of the setup: a call from a real phone, which the page shows as it rings. `isNext`: no step is open. */
export function FirstCall({ isNext }: { readonly isNext: boolean }) {
  const texts = useSetupTexts()
  const [{ data }] = useQuery({ query: firstCallQuery })
  const { state: overview } = useLive(overviewLive)
  const section = useRef<HTMLElement>(null)
  // The last step, which the person has just finished, is far below.
  useEffect(() => {
    if (isNext) section.current?.scrollIntoView({ block: 'nearest' })
  }, [isNext])
  const did = textOf(valuesOf(data?.telephony)['did'])
  const names = (overview?.agents ?? []).map(({ agentName }) => agentName)
  return (
    <section ref={section} className="config-card setup-call" aria-label={texts.readyTitle}>
      <header>
        <h2>{texts.readyTitle}</h2>
      </header>
      <ol className="setup-call-steps">
        <li>
          <p>{texts.call1}</p>
          <p className="ui-hint">{names.length > 0 ? texts.call1Here(names.join(', ')) : texts.call1None}</p>
        </li>
        <li>
          {consoleSettings.demo?.rings === true && <p>{texts.call2Demo}</p>}
          <p>{did === '' ? texts.call2None : texts.call2(spacedNumber(did))}</p>
        </li>
        <li>{texts.call3}</li>
      </ol>
      <Call overview={overview} />
      <nav className="ui-actions" aria-label={texts.nextTitle}>
        <Link to="/supervisor" className="ui-button ui-button-plain">
          {texts.toWallboard}
        </Link>
        <Link to="/administration/configuration" className="ui-button ui-button-quiet">
          {texts.toConfiguration}
        </Link>
      </nav>
    </section>
  )
}

function Call({ overview }: { readonly overview: Overview | null }) {
  const texts = useSetupTexts()
  const [call] = overview?.callsNow.calls ?? []
  const [seen, setSeen] = useState(false)
  if (call && !seen) setSeen(true)
  if (!call) {
    return (
      <div className="setup-waiting" role="status" {...(seen && { 'data-works': true })}>
        <PhoneIncoming aria-hidden="true" />
        <p>{seen ? texts.works : texts.waiting}</p>
      </div>
    )
  }
  const number = shownNumber(call) ?? texts.withheld
  return (
    <div className="setup-waiting" role="status" data-works>
      <PhoneCall aria-hidden="true" />
      <p>
        <strong>{call.phase === 'RINGING' ? texts.RINGING(number) : texts.ANSWERED(number)}</strong>{' '}
        {call.agentName !== null && texts.withAgent(call.agentName)}
      </p>
    </div>
  )
}
