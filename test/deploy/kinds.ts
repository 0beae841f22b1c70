import type { Deployment } from "kubernetes-types/apps/v1.js";
import type { HorizontalPodAutoscaler } from "kubernetes-types/autoscaling/v2.js";
import type { ConfigMap, Secret, Service } from "kubernetes-types/core/v1.js";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.js";

/** The schemas of Kubernetes, as types, for the kinds in deploy/kubernetes. */
export interface Kinds {
  readonly Deployment: Deployment;
  readonly HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  readonly ConfigMap: ConfigMap;
  readonly Secret: Secret;
  readonly Service: Service;
  readonly PodDisruptionBudget: PodDisruptionBudget;
}
