import { CircleAlert, CircleCheck, RefreshCw } from 'lucide-react'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useNow } from '../../../ui/now.ts'
import { Card, Page, Section } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { type Health, type Part, useHealth } from './health.ts'
import { Finding, PartyLine, WorkingPart } from './part-view.tsx'
import { useHealthTexts } from './texts.ts'
import './health.css'

/** All parts of the service and the parties that it needs: what does not work, and what to do. */
export function HealthScreen() {
  const texts = useHealthTexts()
  const { health, error, isReading, read } = useHealth()
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <Button icon={<RefreshCw />} isPending={isReading} onPress={read}>
          {texts.checkNow}
        </Button>
      }
    >
      {health ? (
        <>
          {error !== null && <Notice tone="bad" role="alert" title={texts.noAnswer} />}
          <Findings health={health} />
        </>
      ) : (
        <Card>{error === null ? <Skeleton rows={6} /> : <ErrorState error={error} onRetry={read} />}</Card>
      )}
    </Page>
  )
}

function Findings({ health: { parts, parties, readAt } }: { readonly health: Health }) {
  const texts = useHealthTexts()
  const findings = parts.filter(isFinding).toSorted((a, b) => severity(b) - severity(a))
  // The parties have lines of their own.
  const working = parts.filter((part) => !isFinding(part) && part.name !== 'upstreams')
  return (
    <>
      <Summary findings={findings} readAt={readAt} />
      {findings.length > 0 && (
        <Section title={texts.attention}>
          {findings.map((part) => (
            <Card key={part.name}>
              <Finding part={part} />
            </Card>
          ))}
        </Section>
      )}
      <Section title={texts.working}>
        <Card isFlush>
          <ul className="admin-parts">
            {working.map((part) => (
              <WorkingPart key={part.name} part={part} />
            ))}
          </ul>
        </Card>
      </Section>
      <Section title={texts.upstreams}>
        <Card isFlush>
          <ul className="admin-parts">
            {parties.map((party) => (
              <PartyLine key={party.party} party={party} />
            ))}
          </ul>
        </Card>
      </Section>
    </>
  )
}

function isFinding({ state }: Part): boolean {
  return state === 'down' || state === 'degraded'
}

function severity({ state }: Part): number {
  return state === 'down' ? 2 : 1
}

function Summary({ findings, readAt }: { readonly findings: readonly Part[]; readonly readAt: number }) {
  const texts = useHealthTexts()
  const { second } = useFormats()
  const isDown = findings.some(({ state }) => state === 'down')
  const tone = findings.length === 0 ? 'good' : isDown ? 'bad' : 'warn'
  const now = useNow(10_000)
  return (
    <div className={`admin-health ui-tone-${tone}`}>
      {findings.length === 0 ? <CircleCheck aria-hidden="true" /> : <CircleAlert aria-hidden="true" />}
      <div>
        <p className="admin-health-title" role="status">
          {findings.length === 0 ? texts.allUp : texts.findings(findings.length)}
        </p>
        <p className="admin-minor">{texts.checkedAt(second(new Date(readAt).toISOString(), now))}</p>
      </div>
    </div>
  )
}
