import { OperationTypeNode } from 'graphql'

/** Names of root fields, by operation. */
export type RootNames = Readonly<Record<OperationTypeNode, ReadonlySet<string>>>

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/**
 * The root fields of the platform's metadata endpoint, as version 2.21 introspects them. Used until the schema of the platform at hand has been
 * read. It is the same for all workspaces.
 */
export const recordedMetadataFields: RootNames = {
  query: words(`
    agentTurns apiKey apiKeys appConnection appConnections applicationConnectionProviders applicationRegistrationTarballUrl barChartData
    billingPortalSession chatMessages chatStreamCatchupChunks chatThread chatThreads checkUserExists checkWorkspaceInviteHashIsValid
    checkWorkspaceSubdomainAvailability commandMenuItem commandMenuItems currentUser currentWorkspace enterpriseCheckoutSession
    enterprisePortalSession enterpriseSubscriptionStatus eventLogs field fields findApplicationRegistrationByClientId
    findApplicationRegistrationByUniversalIdentifier findApplicationRegistrationStats findApplicationRegistrationVariables findManyAgents
    findManyApplicationRegistrations findManyApplications findManyLogicFunctions findManyMarketplaceApps findManyPublicDomains
    findMarketplaceAppDetail findOneAgent findOneApplication findOneApplicationRegistration findOneLogicFunction findWorkspaceAiStats
    findWorkspaceFromInviteHash findWorkspaceInvitations frontComponent frontComponents getAddressDetails getAiSystemPromptPreview
    getApprovedAccessDomains getAutoCompleteAddress getAvailablePackages getConnectedImapSmtpCaldavAccount getEmailingDomains
    getInviteSuggestions getLogicFunctionSourceCode getPageLayout getPageLayoutTab getPageLayoutTabs getPageLayoutWidget
    getPageLayoutWidgets getPageLayouts getPublicWorkspaceDataByDomain getPublicWorkspaceDataById getResourceCreditUsage getRoles
    getSSOIdentityProviders getToolIndex getToolInputSchema getUsageAnalytics getView getViewField getViewFieldGroup getViewFieldGroups
    getViewFields getViewFilter getViewFilterGroup getViewFilterGroups getViewFilters getViewGroup getViewGroups getViewSort getViewSorts
    getViews getWorkspaceCreationDefaults lineChartData listPlans minimalMetadata myCalendarChannels myConnectedAccounts
    myMessageChannels myMessageFolders navigationMenuItem navigationMenuItems object objectRecordCounts objects pieChartData
    previewMessageCampaignAudience publicMarketplaceAppDetail publicMarketplaceApps skill skills unsubscribePagePreviewUrl
    unsubscribeTopics validatePasswordResetToken webhook webhooks
  `),
  mutation: words(`
    activateSkill activateWorkspace addQueryToEventStream answerAgentChatQuestion archiveChatThread assignRoleToAgent assignRoleToApiKey
    authorizeApp cancelSwitchBillingInterval cancelSwitchBillingPlan cancelSwitchResourceCreditPrice checkCustomDomainValidRecords
    checkPublicDomainValidRecords checkoutSession claimApplicationRegistrationOwnership completeFileUpload createApiKey
    createApplicationRegistration createApplicationRegistrationVariable createApprovedAccessDomain createBillingPaymentMethodSetupIntent
    createCalendarEvent createChatThread createCommandMenuItem createDevelopmentApplication createEmailGroupChannel createEmailingDomain
    createFileUpload createFrontComponent createManyNavigationMenuItems createManyViewFieldGroups createManyViewFields
    createManyViewGroups createNavigationMenuItem createOIDCIdentityProvider createObjectEvent createOneAgent createOneField
    createOneIndex createOneLogicFunction createOneObject createOneRole createPageLayout createPageLayoutTab createPageLayoutWidget
    createPublicDomain createSAMLIdentityProvider createSkill createSubscriptionPaymentIntent createUnsubscribeTopic createView
    createViewField createViewFieldGroup createViewFilter createViewFilterGroup createViewGroup createViewSort createWebhook
    deactivateSkill deleteApplicationRegistration deleteApplicationRegistrationVariable deleteApprovedAccessDomain deleteChatThread
    deleteCommandMenuItem deleteConnectedAccount deleteCurrentWorkspace deleteEmailGroupChannel deleteEmailingDomain deleteFrontComponent
    deleteManyNavigationMenuItems deleteNavigationMenuItem deleteOneAgent deleteOneField deleteOneIndex deleteOneLogicFunction
    deleteOneObject deleteOneRole deletePublicDomain deleteQueuedChatMessage deleteSSOIdentityProvider deleteSkill
    deleteTwoFactorAuthenticationMethod deleteUnsubscribeTopic deleteUser deleteUserFromWorkspace deleteView deleteViewField
    deleteViewFieldGroup deleteViewFilter deleteViewFilterGroup deleteViewGroup deleteViewSort deleteWebhook deleteWorkspaceInvitation
    destroyPageLayout destroyPageLayoutTab destroyPageLayoutWidget destroyView destroyViewField destroyViewFieldGroup destroyViewFilter
    destroyViewFilterGroup destroyViewGroup destroyViewSort duplicateDashboard editSSOIdentityProvider emailPasswordResetLink
    endSubscriptionTrialPeriod evaluateAgentTurn executeOneLogicFunction generateApiKeyToken generateApplicationToken
    generatePlaygroundToken generateTransientToken getAuthTokensFromLoginToken getAuthTokensFromOTP getAuthorizationUrlForSSO
    getLoginTokenFromCredentials impersonate initiateOTPProvisioning initiateOTPProvisioningForAuthenticatedUser installApplication
    installMarketplaceApp refreshEnterpriseValidityToken releaseEnterpriseServerBinding removeQueryFromEventStream removeRoleFromAgent
    renameChatThread renewApplicationToken renewToken resendEmailVerificationToken resendWorkspaceInvitation resetCommandMenuItem
    resetPageLayoutTabToDefault resetPageLayoutToDefault resetPageLayoutWidgetToDefault retryChatMessage revokeApiKey
    rotateApplicationRegistrationClientSecret runAgent runEvaluationInput saveImapSmtpCaldavAccount sendChatMessage sendEmail
    sendEmailViaEmailingDomain sendInvitations sendMessageCampaign setEnterpriseKey setResourceCreditSubscriptionPrice signIn signUp
    signUpInNewWorkspace signUpInWorkspace skipSyncEmailOnboardingStep startChannelSync stopAgentChatStream switchBillingPlan
    switchSubscriptionInterval syncApplication syncMarketplaceCatalog trackAnalytics transferApplicationRegistrationOwnership
    triggerInstallAppsOnboardingStep unarchiveChatThread uninstallApplication updateApiKey updateApplicationRegistration
    updateApplicationRegistrationVariable updateCalendarChannel updateCommandMenuItem updateFrontComponent updateLabPublicFeatureFlag
    updateManyNavigationMenuItems updateManyViewGroups updateMessageChannel updateMessageFolder updateMessageFolders
    updateNavigationMenuItem updateOneAgent updateOneApplicationVariable updateOneField updateOneLogicFunction updateOneObject
    updateOneRole updatePageLayout updatePageLayoutTab updatePageLayoutWidget updatePageLayoutWithTabsAndWidgets
    updatePasswordViaResetToken updateSkill updateUnsubscribeTopic updateUserEmail updateView updateViewField updateViewFieldGroup
    updateViewFilter updateViewFilterGroup updateViewGroup updateViewSort updateWebhook updateWorkspace updateWorkspaceMemberRole
    updateWorkspaceMemberSettings upgradeApplication uploadAiChatFile uploadAppTarball uploadApplicationFile uploadEmailAttachmentFile
    uploadFilesFieldFile uploadFilesFieldFileByUniversalIdentifier uploadNewWorkspaceLogo uploadWorkflowFile uploadWorkspaceLogo
    uploadWorkspaceMemberProfilePicture upsertFieldPermissions upsertFieldsWidget upsertObjectPermissions upsertPermissionFlags
    upsertRowLevelPermissionPredicates upsertViewWidget validateApprovedAccessDomain verifyEmailAndGetLoginToken
    verifyEmailAndGetWorkspaceAgnosticToken verifyEmailingDomain verifyTwoFactorAuthenticationMethodForAuthenticatedUser
  `),
  subscription: words(`
    eventLogsLive logicFunctionLogs onAgentChatEvent onEventSubscription
  `),
}

/** Root fields that the records endpoint of every workspace of version 2.21 has too. */
export const recordedCommonFields: ReadonlySet<string> = new Set(['mutation.createCalendarEvent'])

/** The root fields of the metadata endpoint beside those of one workspace's records. */
export type MetadataNames = {
  /** All of them. */
  readonly named: RootNames
  /** Those that the records endpoint does not have: a name that both have belongs to the records endpoint. */
  readonly owned: RootNames
}

/** `common`: the fields that both endpoints have, by their kind of operation and name. */
export function metadataNames(named: RootNames, common: ReadonlySet<string>): MetadataNames {
  const ownedOf = (operation: OperationTypeNode): ReadonlySet<string> =>
    new Set([...named[operation]].filter((name) => !common.has(`${operation}.${name}`)))
  return {
    named,
    owned: {
      query: ownedOf(OperationTypeNode.QUERY),
      mutation: ownedOf(OperationTypeNode.MUTATION),
      subscription: ownedOf(OperationTypeNode.SUBSCRIPTION),
    },
  }
}
