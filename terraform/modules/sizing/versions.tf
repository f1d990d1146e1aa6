terraform {
  required_version = ">= 1.11" # no provider: nothing here touches the world
}
