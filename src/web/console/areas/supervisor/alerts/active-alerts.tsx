import { Link } from '@tanstack/react-router'
import { useLive } from '../../../data/live.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Timer } from '../../../ui/timer.tsx'
import { AcknowledgeButton } from './acknowledge-button.tsx'
import { activeAlertsLive, sentenceOf } from './alerts.ts'
import { useAlertTexts } from './texts.ts'
import './alerts.css'

const shownAlerts = 3

/** Alerts that are not over, those that nobody has seen first. Nothing if there are none. */
export function ActiveAlerts() {
  const texts = useAlertTexts()
  const { state } = useLive(activeAlertsLive)
  const alerts = [...state.values()].toSorted(
    (one, other) =>
      Number(one.acknowledgedAt !== null) - Number(other.acknowledgedAt !== null) || other.raisedAt.localeCompare(one.raisedAt),
  )
  return (
    <section className="alerts-active" aria-label={texts.active} role="status" hidden={alerts.length === 0}>
      {alerts.slice(0, shownAlerts).map((alert) => (
        <Notice
          key={alert.id}
          tone={alert.acknowledgedAt === null ? 'bad' : 'neutral'}
          title={sentenceOf(alert, texts)}
          actions={<AcknowledgeButton alert={alert} />}
        >
          <Timer since={alert.raisedAt} />
        </Notice>
      ))}
      {alerts.length > shownAlerts && <Link to="/supervisor/alerts">{texts.more(alerts.length - shownAlerts)}</Link>}
    </section>
  )
}
