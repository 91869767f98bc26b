import { TriangleAlert } from 'lucide-react'
import { useFormats } from '../../../i18n/format.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { useNow } from '../../../ui/now.ts'
import { Card } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import type { TelephonyProviders } from '../telephony-providers.ts'
import { type ProviderStatus, type Status, type Verdict, verdicts, verdictTones } from './log.ts'
import { useWebhookTexts } from './texts.ts'
import '../rows.css'
import './webhooks.css'

type CardsProps = Pick<TelephonyProviders, 'nameOf'> & {
  readonly status: Status
  readonly onChoose: (choice: { provider: ProviderStatus['provider']; verdict: Verdict }) => void
}

/** Whether each provider reaches the service, at a glance. */
export function ProviderCards({ status: { webhookStatus, liveEvents }, ...props }: CardsProps) {
  const texts = useWebhookTexts()
  return (
    <>
      <LiveEvents liveEvents={liveEvents} />
      {webhookStatus.length === 0 ? (
        <Card>
          <EmptyState icon={<TriangleAlert />} title={texts.never}>
            {texts.neverText}
          </EmptyState>
        </Card>
      ) : (
        <div className="admin-providers">
          {webhookStatus.map((status) => (
            <ProviderCard key={status.provider} status={status} {...props} />
          ))}
        </div>
      )}
    </>
  )
}

function ProviderCard({ status, nameOf, onChoose }: { readonly status: ProviderStatus } & Omit<CardsProps, 'status'>) {
  const texts = useWebhookTexts()
  const { ago, moment, number } = useFormats()
  const now = useNow(10_000)
  const { provider, lastReceivedAt, lastHandledAt, notListed } = status
  const isFailing = lastHandledAt !== lastReceivedAt
  const counts: Readonly<Record<Verdict, number>> = {
    ACCEPTED: status.accepted,
    DUPLICATE: status.duplicates,
    IGNORED: status.ignored,
    REFUSED: status.refused,
    FAILED: status.failed,
  }
  return (
    <Card>
      <section className="admin-provider" aria-label={nameOf(provider)}>
        <header>
          <h2>{nameOf(provider)}</h2>
          <p className="admin-minor">{texts.lastReceived}</p>
          <p className="admin-provider-last">
            <time dateTime={lastReceivedAt} title={moment(lastReceivedAt)}>
              {ago(lastReceivedAt, now)}
            </time>
          </p>
          {isFailing && lastHandledAt !== null && <p className="admin-minor">{texts.lastGood(ago(lastHandledAt, now))}</p>}
        </header>
        <dl aria-label={texts.lastDay}>
          {verdicts.map((verdict) => (
            <div key={verdict} className={`ui-tone-${counts[verdict] > 0 ? verdictTones[verdict] : 'neutral'}`}>
              <dt>{texts[verdict]}</dt>
              <dd className="numbers">
                {counts[verdict] > 0 ? (
                  <button type="button" className="admin-count" onClick={() => onChoose({ provider, verdict })}>
                    {number(counts[verdict])}
                  </button>
                ) : (
                  number(counts[verdict])
                )}
              </dd>
            </div>
          ))}
        </dl>
        {notListed > 0 && <p className="admin-minor">{texts.notListed(notListed)}</p>}
      </section>
    </Card>
  )
}

function LiveEvents({ liveEvents: { status, lastEventAt, problem, nextTryAt } }: { readonly liveEvents: Status['liveEvents'] }) {
  const texts = useWebhookTexts()
  const { ago } = useFormats()
  const now = useNow(10_000)
  const tone: Tone = status === 'SUBSCRIBED' ? 'good' : status === 'FAILED' || status === 'NO_PUBLIC_ADDRESS' ? 'bad' : 'neutral'
  return (
    <div className="admin-live">
      <Badge tone={tone} hasDot>
        {texts.live}
      </Badge>
      <span>{status === 'FAILED' ? texts.SUBSCRIPTION_FAILED : texts[status]}</span>
      {lastEventAt !== null && <span className="admin-minor">{texts.lastLive(ago(lastEventAt, now))}</span>}
      {problem !== null && (
        <span className="admin-live-problem" lang="en">
          {problem}
        </span>
      )}
      {nextTryAt !== null && <span className="admin-minor">{texts.nextTry(ago(nextTryAt, now))}</span>}
    </div>
  )
}
