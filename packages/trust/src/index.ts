export type { PlannedRevert } from "./approve-skills.ts";
export { refuseUnapproved } from "./approved/approved-copies.ts";
export { type AuditLog, createAuditLog } from "./audit-log.ts";
export { readCandidate } from "./candidate.ts";
export type { ReviewDetail, ReviewItem } from "./review-list.ts";
export type { ReviewTools } from "./review-tools.ts";
export { createAppReview, createTrustedScan, hasPolicy, policyFiles, policyProblems } from "./trust.ts";
