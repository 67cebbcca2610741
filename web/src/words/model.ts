import type { components } from "../api/schema";

type Schemas = components["schemas"];

/** The API's types under their short names. */
export type Advice = Schemas["Advice"];
export type ChangeAnswer = Schemas["ChangeAnswer"];
export type ClusterStatus = Schemas["ClusterStatus"];
export type Condition = Schemas["Condition"];
export type Finding = Schemas["Finding"];
export type LoadPeriod = Schemas["LoadPeriod"];
export type LockState = Schemas["LockState"];
export type NodeState = Schemas["NodeState"];
export type OperatingMode = Schemas["OperatingMode"];
export type OperationAnswer = Schemas["OperationAnswer"];
export type OperationInfo = Schemas["OperationInfo"];
export type Param = OperationInfo["params"][number];
export type Plan = Schemas["Plan"];
export type PlanEvent = Schemas["Event"];
export type PlanImpact = Schemas["PlanImpact"];
export type PlanLoad = Schemas["PlanLoad"];
export type PlanStatus = Plan["status"];
export type Problem = Schemas["Problem"];
export type ProblemDetails = Schemas["ProblemDetails"];
export type RecentEvents = Schemas["RecentEvents"];
export type RingNode = Schemas["RingNode"];
export type StepState = Schemas["StepState"];
export type StepStatus = StepState["status"];
export type Unanswered = Schemas["Unanswered"];

/** The part of a cluster in one datacenter. */
export type Part = ClusterStatus["datacenters"][number];
