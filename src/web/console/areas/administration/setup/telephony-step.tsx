import { useState } from 'react'
import { useQuery } from 'urql'
import { useAction } from '../../../data/use-action.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { newWebhookAddress, webhooksQuery } from './documents.ts'
import { SectionStep, type StepContentProps } from './section-step.tsx'
import { useSetupTexts } from './texts.ts'

/** The provider, the number, browser phones, and the address that the provider reports to. */
export function TelephonyStep({ isReady, ...rest }: StepContentProps) {
  return (
    <SectionStep section="TELEPHONY" paths={['provider', 'did', 'campaignName', 'sip.domain']} isReady={isReady} {...rest}>
      <WebhookAddress />
    </SectionStep>
  )
}

function WebhookAddress() {
  const texts = useSetupTexts()
  const { moment } = useFormats()
  const [{ data }] = useQuery({ query: webhooksQuery })
  const { run, isPending } = useAction(newWebhookAddress)
  const [path, setPath] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const known = data?.webhookKeys.find(({ provider }) => provider === 'ozonetel')
  const make = async (): Promise<void> => {
    const made = await run({ provider: 'ozonetel' })
    setAsking(false)
    if (made) setPath(made.rotateWebhookKey.path)
  }
  const hasOne = known !== undefined || path !== null
  return (
    <section className="setup-part" aria-label={texts.webhookTitle}>
      <h3>{texts.webhookTitle}</h3>
      <p className="ui-hint">{texts.webhookText}</p>
      {data?.liveEvents.status === 'SUBSCRIBED' && <Notice tone="good">{texts.eventsWork}</Notice>}
      {data?.liveEvents.problem && (
        <Notice tone="warn">
          <p lang="en">{data.liveEvents.problem}</p>
        </Notice>
      )}
      {path === null ? (
        known && <p>{texts.webhookSince(moment(known.createdAt))}</p>
      ) : (
        <>
          <CopyField label={texts.webhookTitle} value={`${location.origin}${path}`} />
          <p className="ui-hint">{texts.webhookOnce}</p>
        </>
      )}
      <div className="ui-actions">
        <Button isPending={isPending} isDisabled={!data} onPress={() => (hasOne ? setAsking(true) : void make())}>
          {hasOne ? texts.webhookNew : texts.webhookMake}
        </Button>
      </div>
      <ConfirmDialog
        title={texts.webhookSure}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={texts.webhookNew}
        isPending={isPending}
        onConfirm={() => void make()}
      >
        <p>{texts.webhookSureText}</p>
      </ConfirmDialog>
    </section>
  )
}
